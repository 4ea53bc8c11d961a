import { setTimeout as delay } from 'node:timers/promises'
import { type ComputeProvider, ProviderError } from '../compute-provider.ts'

/**
 * What goes wrong with one call. `error`: refused, nothing happened. `final`: refused, and asking again will not help.
 * `late`: takes effect and answers after `lateMs`. `twice`: takes effect twice. `lost`: takes effect, never answers.
 * `never`: has no effect, never answers.
 */
export type Fault = 'error' | 'final' | 'late' | 'twice' | 'lost' | 'never'
export type ProviderMethod = Exclude<keyof ComputeProvider, 'name' | 'watch'>

/** `provider` with a fault in every call for which `choose` names one. */
export function faultyProvider(
  provider: ComputeProvider,
  choose: (method: ProviderMethod) => Fault | undefined,
  lateMs = 50,
): ComputeProvider {
  async function call<T>(method: ProviderMethod, run: () => Promise<T>): Promise<T> {
    switch (choose(method)) {
      case undefined:
        return run()
      case 'error':
        throw new ProviderError(`${method}: 503 Service Unavailable`, { retryable: true })
      case 'final':
        throw new ProviderError(`${method}: no room for this size`, { retryable: false })
      case 'late':
        await delay(lateMs)
        return run()
      case 'twice':
        await run()
        return run()
      case 'lost':
        await run()
        return new Promise<never>(() => undefined)
      case 'never':
        return new Promise<never>(() => undefined)
    }
  }
  return {
    name: provider.name,
    ensureInstance: (spec) => call('ensureInstance', () => provider.ensureInstance(spec)),
    inspect: (id) => call('inspect', () => provider.inspect(id)),
    start: (id) => call('start', () => provider.start(id)),
    stop: (id) => call('stop', () => provider.stop(id)),
    restart: (id, from) => call('restart', () => provider.restart(id, from)),
    destroy: (id) => call('destroy', () => provider.destroy(id)),
    list: (deployment) => call('list', () => provider.list(deployment)),
    usage: (id) => call('usage', () => provider.usage(id)),
  }
}
