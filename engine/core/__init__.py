"""What every game shares: the contract, the table, clocks, races and chance."""
