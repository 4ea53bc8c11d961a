import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { Log } from '../../../platform/log.ts'
import type { Compute } from '../../compute/index.ts'
import { type CapacityMember, listMembers, saveLocations, saveMembers } from './capacity-store.ts'
import { fullPart } from './place-order.ts'

export interface CapacityDeps {
  db: Db
  clock: Clock
  compute: Compute
}

const bytesPerMiB = 2 ** 20

/**
 * Reads capacity and use of each region's machines every minute. If a provider does not answer, the last reading stays.
 */
export function capacityRead(deps: CapacityDeps): Job {
  return defineTimedJob({
    name: 'cluster.readCapacity',
    lane: 'own',
    waits: 'never',
    cron: '* * * * *',
    run: ({ log }) => recordCapacity(deps, log),
  })
}

export async function recordCapacity({ db, clock, compute }: CapacityDeps, log: Log): Promise<void> {
  for (const { cloudName, regions } of compute.catalog.clouds) {
    const provider = compute.provider(cloudName)
    if (!provider?.capacity) continue
    for (const { regionId } of regions) {
      const region = { cloudName, regionId }
      try {
        const read = await provider.capacity(regionId)
        // Its machines were renamed, or the answer is not whole: without members a region with limits would have none.
        if (read.length === 0) {
          log.warn(region, 'the provider names no machine of a region; what was read last stays')
          continue
        }
        const at = clock.now()
        await db.transaction().execute(async (trx) => {
          const before = await listMembers(trx, region)
          const rows = read.flatMap((one) => {
            const known = before.find(({ member }) => member === one.member)
            // A lost member reports no figures: its last ones stay, so that orders on it remain counted.
            if (one.state === 'lost') return known ? [withoutKey({ ...known, state: one.state })] : []
            const isFull = one.diskUsed >= one.disk * fullPart && one.disk > 0
            const since = known?.full_since ?? at
            return [
              {
                member: one.member,
                state: one.state,
                cpu_cores: one.cpuCores,
                cpu_busy: one.cpuBusy,
                memory_mib: Math.floor(one.memory / bytesPerMiB),
                memory_used_mib: Math.ceil(one.memoryUsed / bytesPerMiB),
                disk_mib: Math.floor(one.disk / bytesPerMiB),
                disk_used_mib: Math.ceil(one.diskUsed / bytesPerMiB),
                full_since: isFull ? since : null,
                read_at: at,
              },
            ]
          })
          await saveMembers(trx, region, rows)
          for (const { member, instanceIds } of read) await saveLocations(trx, member, instanceIds)
        })
      } catch (error) {
        log.warn({ err: error, ...region }, 'the capacity of a region could not be read')
      }
    }
  }
}

function withoutKey({ cloud_name: _cloud, region_id: _region, accepts: _accepts, ...row }: CapacityMember) {
  return row
}
