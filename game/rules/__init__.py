"""The rules of a level being played: devices, triggers, objectives, checkpoints, the ball course."""
