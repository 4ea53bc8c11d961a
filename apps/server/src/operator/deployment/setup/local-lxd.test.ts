import { expect, it } from 'vitest'
import { checkLocalLxd, localEndpoint } from './local-lxd.ts'

/** An LXD that says this of where it listens, and whether it is a cluster. */
const saying = (address: string | undefined, isCluster: boolean) => async () =>
  JSON.stringify({
    config: { 'core.https_address': address },
    environment: { certificate: 'PEM', server_clustered: isCluster },
  })

it.each([
  ['10.77.0.1', undefined, false, undefined],
  ['10.77.0.1', '[::]:8443', false, undefined],
  ['fd00::1', undefined, false, '--control-address: fd00::1 is no'],
  ['10.77.0.1', undefined, true, 'This LXD is a cluster'],
  ['10.77.0.1', '192.0.2.1:443', false, 'listens on 192.0.2.1:443'],
])('with the address %s, LXD on %s, a cluster: %s, setup is told %s', async (address, listens, isCluster, told) => {
  const checked = checkLocalLxd(saying(listens, isCluster), { address, endpoint: localEndpoint })
  if (told === undefined) await checked
  else await expect(checked).rejects.toThrow(told)
})
