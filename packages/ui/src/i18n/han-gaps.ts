/** The values that a text was filled with, by name; only strings among them are read. */
type Values = Record<string, unknown>

const endsInHan = /\p{Script=Han}$/u
const beginsInHan = /^\p{Script=Han}/u

/**
 * `text` without the spaces that its pattern has round a Latin value, where the value turned out Chinese: 销毁 Rangiroa,
 * but 销毁工作节点 1. Spaces inside of a value are its own.
 */
export function closeHanGaps(text: string, values: Values): string {
  let shown = text
  for (const value of Object.values(values)) {
    if (typeof value !== 'string') continue
    if (beginsInHan.test(value))
      shown = shown.replaceAll(` ${value}`, (found, at: number) => (endsInHan.test(shown.slice(0, at)) ? value : found))
    if (endsInHan.test(value))
      shown = shown.replaceAll(`${value} `, (found, at: number) =>
        beginsInHan.test(shown.slice(at + found.length)) ? value : found,
      )
  }
  return shown
}
