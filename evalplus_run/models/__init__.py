"""Who answers: one file for each engine, behind one Protocol."""
