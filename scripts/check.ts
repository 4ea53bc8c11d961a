/**
 * `npm run check`: types, format and lint, boundaries, texts, the API's description. Prints what is wrong and ends
 * with 1 if anything is.
 */
import { checkNames, runCheck } from './checks/checks.ts'

let failed = 0
for (const name of checkNames) {
  const startedAt = performance.now()
  const problems = await runCheck(name)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(problems === '' ? `ok      ${name} (${seconds} s)\n` : `FAILED  ${name}\n${problems}\n`)
  if (problems !== '') failed += 1
}
process.exitCode = failed === 0 ? 0 : 1
