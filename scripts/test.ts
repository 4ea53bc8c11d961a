/**
 * `npm test`: the checks and all that a change can break, in the order in which failures are cheapest to read; with
 * `--deep` or `--whole`, which are `npm run test:deep` and `npm run test:whole`, another tier (testing/tiers.ts). Ends
 * with the line `N passed, N failed, N skipped` over checks and tests together, and with 1 when anything failed; under
 * CI=true or ATOLL_NO_SKIP=1 a skipped test counts as failed. `--changed` runs the tests that import what changed since
 * the upstream branch, or in the last commit; what a test only starts or opens is not imported. Other arguments go to
 * Vitest, such as a part of a file's name.
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { buildAgentArchive } from './building/agent-archive.ts'
import { isAgentArchiveCurrent, isCurrent, listFrontEnds } from './building/build-state.ts'
import { buildFrontEnd } from './building/front-ends.ts'
import { checkNames, runCheck } from './checks/checks.ts'
import { ensureChromium, ensureHeadlessShell } from './programs/chromium.ts'
import { ensureDnsPrograms } from './programs/dns-programs.ts'
import { ensureLxd } from './programs/lxd.ts'
import { ensureOtherBrowsers } from './programs/other-browsers.ts'
import { ensureOwnMachines } from './programs/own-machine.ts'
import { ensureResticOf, ensureRestServer } from './programs/restic.ts'
import { projectRoot } from './project.ts'
import { findChangedSince } from './testing/changed-since.ts'
import { type FileTime, reportFailed, reportRetried, reportSlowest } from './testing/file-times.ts'
import { waitingWorkers } from './testing/kinds.ts'
import { type Tier, tiers } from './testing/tiers.ts'
import { addCounts, type Counts, noCounts, runVitest } from './testing/vitest-run.ts'

const tier: Tier = tiers.find((one) => process.argv.includes(`--${one}`)) ?? 'quick'
const given = process.argv.slice(2).filter((argument) => argument !== `--${tier}`)
const changed = given.includes('--changed') ? [`--changed=${await findChangedSince()}`] : []
const filters = [...given.filter((argument) => argument !== '--changed'), ...changed]
const times: FileTime[] = []
const cores = Math.max(2, availableParallelism())
const skipsFail = process.env['CI'] === 'true' || process.env['ATOLL_NO_SKIP'] === '1'
// Tests start hundreds of servers, and two fifths of each start was compiling the same sources.
process.env['NODE_COMPILE_CACHE'] ??= join(projectRoot, '.cache/compile')

/**
 * The result of the last `npm test` that failed. The deep tier repeats it, because only the end of a long log may be
 * kept.
 */
const quickFailures = join(projectRoot, '.cache/quick-failures.txt')
if (tier === 'quick') rmSync(quickFailures, { force: true })

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

const failedChecks: string[] = []

async function runChecks(): Promise<Counts> {
  let counts = noCounts
  for (const name of checkNames) {
    const problems = await runCheck(name)
    if (problems !== '') failedChecks.push(name)
    say(problems === '' ? `ok      ${name}` : `FAILED  ${name}\n${problems}`)
    counts = addCounts(counts, { passed: problems === '' ? 1 : 0, failed: problems === '' ? 0 : 1, skipped: 0 })
  }
  return counts
}

/** Makes ready what some tests need; without what `ensure` says is missing they are skipped, each with the reason. */
async function prepare(tests: string, ensure: () => Promise<string | undefined>): Promise<Counts> {
  try {
    const missing = await ensure()
    if (missing !== undefined) say(`SKIPPED ${tests}: ${missing}`)
    return noCounts
  } catch (error) {
    say(`FAILED  preparing ${tests}\n${error instanceof Error ? error.stack : String(error)}`)
    return { ...noCounts, failed: 1 }
  }
}

async function ensureRestic(): Promise<string | undefined> {
  const programs = [await ensureResticOf('bookworm'), await ensureResticOf('trixie'), await ensureRestServer()]
  return programs.includes(undefined) ? "its programs are Debian's, and this is none" : undefined
}

/** Each asks for packages of Debian, so they come one after the other. */
async function preparePrograms(): Promise<Counts> {
  const counts = [
    await prepare('the tests with other name servers', ensureDnsPrograms),
    await prepare('the tests with restic', ensureRestic),
  ]
  if (tier !== 'quick') {
    counts.push(
      await prepare('the tests on LXD', ensureLxd),
      await prepare('the tests in Firefox and WebKit', ensureOtherBrowsers),
    )
  }
  return counts.reduce(addCounts)
}

/** Prepares pages and browsers for the tests from outside. */
async function ensurePagesAndBrowsers(): Promise<undefined> {
  for (const frontEnd of listFrontEnds()) if (!isCurrent(frontEnd)) await buildFrontEnd(frontEnd)
  if (!isAgentArchiveCurrent()) await buildAgentArchive()
  if (tier !== 'quick') await ensureOwnMachines()
  process.env['CHROMIUM_PATH'] = await ensureChromium()
  process.env['CHROMIUM_SHELL_PATH'] = (await ensureHeadlessShell()) ?? process.env['CHROMIUM_PATH']
}

const isWhole = given.every((argument) => argument === '--changed')
const checks = isWhole && tier === 'quick' ? runChecks : async () => noCounts
const steps: (() => Promise<Counts>)[] = [
  // Downloads run while the checks compute.
  async () => (await Promise.all([checks(), preparePrograms()])).reduce(addCounts),
  () => prepare('the acceptance tests', ensurePagesAndBrowsers),
  // Much of it waits: for a kill to be noticed, for a machine to boot, for an answer that is held back.
  () => runVitest(['unit', 'integration', 'acceptance-networks'], filters, { tier, workers: cores + 1, times }),
  () => runVitest(['acceptance'], filters, { tier, kind: 'waiting', workers: waitingWorkers, times }),
  () => runVitest(['acceptance'], filters, { tier, kind: 'computing', workers: cores + 1, times }),
  () => runVitest(['acceptance-machines'], filters, { tier, workers: 1, times }),
]
let total = noCounts
for (const step of steps) total = addCounts(total, await step())

if (times.length > 0) say(reportSlowest(times, 20))
if (times.length === 0 && !isWhole) {
  total = addCounts(total, { ...noCounts, failed: 1 })
  say(
    `No test file of the ${tier} tier matches ${given.join(' ')}: npm test, npm run test:deep and npm run test:whole differ.`,
  )
}
const ending = [
  reportRetried(times),
  failedChecks.length > 0 ? `Failed checks: ${failedChecks.join(', ')}` : '',
  reportFailed(times),
  skipsFail && total.skipped > 0 ? 'Skipped tests count as failures here (CI or ATOLL_NO_SKIP).' : '',
  `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
].filter((line) => line !== '')
const hasFailed = total.failed > 0 || (skipsFail && total.skipped > 0)
if (hasFailed && tier === 'quick') {
  mkdirSync(join(projectRoot, '.cache'), { recursive: true })
  writeFileSync(quickFailures, ending.join('\n'))
}
if (tier === 'deep' && existsSync(quickFailures)) {
  say(`The last npm test failed:\n${readFileSync(quickFailures, 'utf8')}\nThis run, npm run test:deep:`)
}
say(ending.join('\n'))
process.exitCode = hasFailed ? 1 : 0
