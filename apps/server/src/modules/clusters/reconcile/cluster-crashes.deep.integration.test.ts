import { test } from 'vitest'
import { crashOperations, useClusterCrashes } from '../testing/crash-matrix.ts'

const { killAnywhere, killTwice, expectNoneLeftOver } = useClusterCrashes()

test.each(crashOperations)(
  'a worker killed at every boundary of %s: the next one finishes, with one instance or none',
  killAnywhere,
)

test('a worker killed after another at each later boundary: the next one finishes too', killTwice)

test('all those deaths leave no instance that no row names, and no row without its instance', async () => {
  await expectNoneLeftOver(100)
})
