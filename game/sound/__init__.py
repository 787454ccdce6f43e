"""Sound made by code: waveforms, the rule of distance, and the player of them."""
