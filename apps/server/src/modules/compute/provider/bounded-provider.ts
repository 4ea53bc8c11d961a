import type { ComputeProvider } from './compute-provider.ts'
import { ProviderError } from './compute-provider.ts'

/**
 * The same provider with an end to every call: one that has not answered after `timeoutMs` is refused as retryable.
 * The call itself may still take effect later; every method is safe to repeat, so nobody has to know.
 */
export function boundProvider(provider: ComputeProvider, timeoutMs: number): ComputeProvider {
  async function bound<T>(what: string, answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const expiry = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const message = `${provider.name} did not answer "${what}" within ${timeoutMs / 1000} s`
        reject(new ProviderError(message, { retryable: true }))
      }, timeoutMs)
    })
    try {
      return await Promise.race([answer, expiry])
    } finally {
      clearTimeout(timer)
    }
  }
  const { watch, claims, capacity, allowMail, move } = provider
  return {
    name: provider.name,
    ensureInstance: (spec) => bound('create', provider.ensureInstance(spec)),
    inspect: (id) => bound('inspect', provider.inspect(id)),
    start: (id) => bound('start', provider.start(id)),
    stop: (id) => bound('stop', provider.stop(id)),
    restart: (id, from) => bound('restart', provider.restart(id, from)),
    destroy: (id) => bound('destroy', provider.destroy(id)),
    list: (deployment) => bound('list', provider.list(deployment)),
    usage: (id) => bound('usage', provider.usage(id)),
    ...(move && { move: (id, member) => bound('move', move(id, member)) }),
    ...(allowMail && { allowMail: (id, isAllowed) => bound('allow mail', allowMail(id, isAllowed)) }),
    ...(capacity && { capacity: (region) => bound('capacity', capacity(region)) }),
    ...(claims && {
      claims: {
        read: () => bound('read claim', claims.read()),
        write: (claim) => bound('write claim', claims.write(claim)),
      },
    }),
    // Only calls have a deadline: a watch reports for as long as it is open.
    ...(watch && { watch: (onChange) => watch(onChange) }),
  }
}
