/**
 * Faults of one call to an outside service.
 *   error   refused with 5xx, nothing happened; asking again may help
 *   final   refused for good: a destroy that is refused, an image that is not there
 *   soldOut refused for good: no room for this size
 *   late    takes effect and answers after `lateMs`
 *   twice   takes effect twice
 *   lost    takes effect and never answers: the caller times out after success
 *   never   has no effect and never answers
 *   stale   answers what it answered the time before: a list that is late
 */
export const faults = ['error', 'final', 'soldOut', 'late', 'twice', 'lost', 'never', 'stale'] as const
export type Fault = (typeof faults)[number]

export interface FaultPlan<Method> {
  /** The fault of this call; undefined: it works. `args` are the call's. */
  choose(method: Method, args: readonly unknown[]): Fault | undefined
  /** The error that the subject would refuse with. */
  refusal(fault: 'error' | 'final' | 'soldOut', method: Method): Error
  /** ms */
  lateMs: number
}

type AsyncMethod = (...args: never[]) => Promise<unknown>
type Methods<T> = Extract<{ [K in keyof T]: T[K] extends AsyncMethod ? K : never }[keyof T], string>

/** `subject` with a fault in every call of one of `methods` for which the plan names one; the rest is its own. */
export function injectFaults<T extends object, M extends Methods<T>>(
  subject: T,
  methods: readonly M[],
  plan: FaultPlan<M>,
): T {
  const before = new Map<M, unknown>()
  const faulty = methods.map((method) => {
    // `Methods` admits only functions that answer with a promise.
    const call = subject[method] as (...args: unknown[]) => Promise<unknown>
    const run = async (args: unknown[]) => {
      const answer = await call.apply(subject, args)
      before.set(method, answer)
      return answer
    }
    return [method, (...args: unknown[]) => suffer(plan, method, args, () => run(args), before)] as const
  })
  return { ...subject, ...Object.fromEntries(faulty) }
}

async function suffer<M>(
  plan: FaultPlan<M>,
  method: M,
  args: readonly unknown[],
  run: () => Promise<unknown>,
  before: Map<M, unknown>,
): Promise<unknown> {
  const fault = plan.choose(method, args)
  switch (fault) {
    case undefined:
      return await run()
    case 'error':
    case 'final':
    case 'soldOut':
      throw plan.refusal(fault, method)
    case 'late':
      await new Promise((resolve) => setTimeout(resolve, plan.lateMs))
      return await run()
    case 'twice':
      await run()
      return await run()
    case 'lost':
      await run()
      return await new Promise<never>(() => undefined)
    case 'never':
      return await new Promise<never>(() => undefined)
    case 'stale':
      return before.has(method) ? before.get(method) : await run()
  }
}
