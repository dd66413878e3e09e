"""The laws are tried on the same matches every time: a failure can be had again, and a run is no lottery."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "laws",
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=4,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("laws")
