export type LogTone = 'plain' | 'good' | 'warn' | 'bad'

export interface LogLineView {
  /** `HH:MM:SS`, or empty where the line has none. */
  time: string
  source: string
  message: string
  tone: LogTone
}

const shape = /^(\d{2}:\d{2}:\d{2})\s+(\S+)\s+(.*)$/

/** Agents write plain words; these are the ones worth a hue. Words, not colour, carry the meaning. */
const tones: [LogTone, RegExp][] = [
  ['bad', /\b(error|failed|failure|refused|fatal)\b/i],
  ['warn', /\b(warn(ing)?|retry|retrying|waiting|slow)\b/i],
  ['good', /\b(ready|done|matches|verified|complete(d)?|finished)\b/i],
]

/** Takes a log line `HH:MM:SS source message` apart; a line of another shape is all message. */
export function parseLogLine(line: string): LogLineView {
  const match = shape.exec(line)
  const message = match?.[3] ?? line
  const tone = tones.find(([, words]) => words.test(message))?.[0] ?? 'plain'
  return { time: match?.[1] ?? '', source: match?.[2] ?? '', message, tone }
}
