// @ts-check
// Plays two short tones when this player is asked after others have acted, if the person wants it.

/** The pitches, in hertz. */
const PITCHES = [587, 784];
/** Length of a tone, in seconds. */
const TONE = 0.16;
const STORED = 'lode.sound';
/** @type {AudioContext | undefined} */
let audio;
let isOn = stored();

function stored() {
  // A browser may forbid to store.
  try {
    return localStorage.getItem(STORED) === 'on';
  } catch {
    return false;
  }
}

/** Whether the person wants tones. */
export const hasSound = () => isOn;

/** @param {boolean} on */
export function setSound(on) {
  isOn = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {}
  ring();
}

/** Plays the tones. */
export function ring() {
  if (!isOn) return;
  const to = (audio ??= new AudioContext());
  PITCHES.forEach((pitch, at) => {
    const [tone, gain] = [to.createOscillator(), to.createGain()];
    const begin = to.currentTime + at * TONE;
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.12, begin);
    gain.gain.exponentialRampToValueAtTime(0.001, begin + TONE);
    tone.connect(gain).connect(to.destination);
    tone.start(begin);
    tone.stop(begin + TONE);
  });
}
