"""What all tests share: hypothesis does not judge how fast a busy machine is."""

from hypothesis import settings

settings.register_profile("steady", deadline=None)
settings.load_profile("steady")
