/** The value of a field of a day and a time, read as UTC; undefined: nothing yet. */
export function utcTime(typed: string): string | undefined {
  const at = new Date(`${typed}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
