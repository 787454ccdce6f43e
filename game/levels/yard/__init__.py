"""The yard: the whole demo, made of everything the engine can do."""
