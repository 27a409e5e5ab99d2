import { signal } from '@preact/signals';

const setting = 'commerce.sound';

/** Whether a new order makes a sound; it does not unless a person switches it on. */
export const sound = signal(localStorage.getItem(setting) === 'on');

/** Stores the choice, and lets the sound be heard when it is switched on. */
export function setSound(on: boolean): void {
  sound.value = on;
  localStorage.setItem(setting, on ? 'on' : 'off');
  if (on) chime();
}

let context: AudioContext | undefined;

/** Frequencies of the two tones, in hertz. */
const tones = [660, 880];
/** Seconds of a tone. */
const length = 0.18;

/** Two short tones. A browser that has seen no click or key yet plays nothing. */
export function chime(): void {
  if (!sound.value) return;
  context ??= new AudioContext();
  const start = context.currentTime;
  for (const [i, frequency] of tones.entries()) {
    const tone = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    const from = start + i * length;
    volume.gain.setValueAtTime(0.15, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + length);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + length);
  }
}
