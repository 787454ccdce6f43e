"""Animation group numbers that the controller asks for.

0 and 20 are the text's; the others are ours. An actor need not have them: an absent group falls back to the
default one, and what a rule of ours would wait for is then over at once.
"""

IDLE = 0
WALK = 20  # the ordinary sheathed walk
RUN = 21
BACK_STEP = 22
SWIM = 23
TREAD = 24  # afloat without moving
SLIDE = 30
JUMP = 31
FALL = 32
LAND = 33
HURT = 34
CLIMB = 35
DIE = 40  # best of type 2, which holds its last frame
