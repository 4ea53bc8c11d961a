/**
 * Whether a provider knows more than this database. Its claim tells, which is read after each start and in each sweep.
 * Providers are asked independently: one that is away does not hold up the strays of another.
 */
import { type Asked, describePause, renewClaim } from '../../../platform/careful/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { getDeployment } from '../../../platform/facts/index.ts'
import type { SourceCheck } from '../../../platform/sources/index.ts'
import type { Compute, ProviderPlace } from '../../compute/index.ts'

export const sourceOf = ({ place }: Pick<ProviderPlace, 'place'>): Asked => `provider ${place}`

interface Asking {
  db: Db
  clock: Clock
  compute: Pick<Compute, 'places'>
}

/** Of those that are in the catalogue now and keep claims. */
export function providerSources({ db, compute }: Asking): SourceCheck[] {
  return compute.places().flatMap(({ place, provider: { claims } }) =>
    claims === undefined
      ? []
      : {
          source: sourceOf({ place }),
          async ask(now) {
            // The first instance claims the provider; until then there is nothing that it could know.
            if ((await claims.read()) === undefined) return undefined
            const problem = await renewClaim(db, { place, claims, deployment: await getDeployment(db), now })
            // One that is behind has made the deployment careful: that is an answer.
            return problem === 'stranger' ? describePause({ place, problem }) : undefined
          },
        },
  )
}
