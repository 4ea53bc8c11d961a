/** One row of the crash matrix; `cluster-crashes.deep` has all of them. */
import { test } from 'vitest'
import { useClusterCrashes } from '../testing/crash-matrix.ts'

const { killAnywhere, expectNoneLeftOver } = useClusterCrashes()

test('a worker killed at every boundary of create: the next one finishes, with one instance', async () => {
  await killAnywhere('create')
})

test('those deaths leave no instance that no row names, and no row without its instance', async () => {
  await expectNoneLeftOver(6)
})
