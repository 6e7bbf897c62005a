"""Registers the shipped games with Gymnasium: `gymnasium.make("motherlode.envs:motherlode/photon-v0")`."""

from ._register import register

register()
