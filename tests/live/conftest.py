from tests.config.conftest import data

__all__ = ["data"]
