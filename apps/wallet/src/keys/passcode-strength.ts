/** The first passcodes anyone tries: one digit six times, and straight runs up or down. */
export function isWeakPasscode(passcode: string): boolean {
  const steps = new Set([...passcode].slice(1).map((digit, index) => Number(digit) - Number(passcode[index])))
  const [step] = steps
  return steps.size === 1 && step !== undefined && Math.abs(step) <= 1
}
