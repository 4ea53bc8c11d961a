import { type Fault, type FaultPlan, injectFaults } from '@atoll/testkit'
import { type ComputeProvider, ProviderError } from '../provider/compute-provider.ts'

export type { Fault } from '@atoll/testkit'

const methods = ['ensureInstance', 'inspect', 'start', 'stop', 'restart', 'destroy', 'list', 'usage'] as const
export type ProviderMethod = (typeof methods)[number] | 'move'

const words = { error: '503 Service Unavailable', final: 'no room for this size', soldOut: 'sold out' } as const

/** `provider` with a fault in every call for which `choose` names one; `instanceId` is undefined for a list. */
export function faultyProvider(
  provider: ComputeProvider,
  choose: (method: ProviderMethod, instanceId: string | undefined) => Fault | undefined,
  lateMs = 50,
): ComputeProvider {
  const plan: FaultPlan<ProviderMethod> = {
    choose: (method, args) => choose(method, method === 'list' ? undefined : idIn(args[0])),
    refusal: (fault, method) =>
      new ProviderError(`${method}: ${words[fault]}`, {
        retryable: fault === 'error',
        ...(fault === 'soldOut' && { kind: fault }),
      }),
    lateMs,
  }
  const faulty = injectFaults(provider, methods, plan)
  const { move } = provider
  return move ? { ...faulty, ...injectFaults({ move }, ['move'], plan) } : faulty
}

/** Methods take an id first, `ensureInstance` a spec. */
function idIn(first: unknown): string | undefined {
  if (typeof first === 'string') return first
  return typeof first === 'object' && first && 'instanceId' in first ? String(first.instanceId) : undefined
}
