/** Runs checks and says what each found, in the order of the table. One that takes too long or breaks has failed. */
import { type Check, type Finding, failed, type Patient, reasonOf, unseen } from './check.ts'

export type Examined = Pick<Check, 'name' | 'group' | 'title'> & Finding & { ms: number }

export interface Report {
  at: string
  version: string
  passed: number
  failed: number
  warnings: number
  skipped: number
  checks: Examined[]
}

/** A whole audit log or ledger takes a while; what asks other machines has deadlines of its own. ms */
const withinMs = 120_000

export interface ExamineOptions {
  checks: readonly Check[]
  /** Why the database cannot be looked at, where it cannot. */
  databaseProblem?: string | undefined
}

export async function examine(patient: Patient, { checks, databaseProblem }: ExamineOptions): Promise<Report> {
  const at = patient.context.now().toISOString()
  const examined = await Promise.all(
    checks.map(async (check): Promise<Examined> => {
      const began = performance.now()
      const finding =
        check.needsDatabase && databaseProblem !== undefined
          ? unseen('the database does not answer')
          : await lookWithin(check, patient)
      const { name, group, title } = check
      return { name, group, title, ...finding, ms: Math.round(performance.now() - began) }
    }),
  )
  const all = databaseProblem === undefined ? examined : [noDatabase(databaseProblem), ...examined]
  const count = (state: Finding['state']) => all.filter((one) => one.state === state).length
  return {
    at,
    version: patient.config.version,
    passed: count('passed'),
    failed: count('failed'),
    warnings: count('warning'),
    skipped: count('skipped'),
    checks: all,
  }
}

async function lookWithin(check: Check, patient: Patient): Promise<Finding> {
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(
    () => late.resolve(failed('It takes too long.', 'Look at what it asks; the log may say more.')),
    withinMs,
  )
  try {
    return await Promise.race([check.look(patient), late.promise])
  } catch (error) {
    return failed(`It cannot be looked at: ${reasonOf(error)}`, 'Mend what it says, and run the checks again.')
  } finally {
    clearTimeout(timer)
  }
}

function noDatabase(problem: string): Examined {
  const finding = failed(problem, 'Start PostgreSQL, and look at DATABASE_URL.')
  return { name: 'database', group: 'Database', title: 'The database answers', ...finding, ms: 0 }
}
