/** Settings of an LXD in `catalog.yaml`: how it is reached, and which parts of it this deployment uses. */
import { z } from 'zod'

const AbsolutePath = z.string().max(1000).startsWith('/', 'must be an absolute path')
/** As LXD names projects, pools, networks and members. */
const Name = z
  .string()
  .max(63)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/, 'must be letters, digits, dots, hyphens and underscores')
const Endpoint = z.string().refine((text) => text.startsWith('/') || isHttps(text), {
  error: 'must be the absolute path of a unix socket or an https:// address',
})

export const LxdMemberName = Name

export const LxdSettings = z
  .strictObject({
    /** Sockets or addresses of one LXD or of members of one cluster; the first that answers is used. */
    endpoints: z.array(Endpoint).min(1).max(32),
    /** PEM files for https: ours, which LXD trusts, and LXD's own, which we trust. */
    clientCert: AbsolutePath.optional(),
    clientKey: AbsolutePath.optional(),
    serverCert: AbsolutePath.optional(),
    /** Belongs to this deployment alone; made when it is missing. */
    project: Name.default('atoll'),
    /** Storage pool of the instances' disks. */
    pool: Name.default('default'),
    /** A network that LXD manages, or a bridge that every member has. */
    network: Name.optional(),
    bridge: Name.optional(),
    /**
     * A second managed network, which does not close outbound TCP 25 as `network` does: for instances of accounts that
     * may send mail.
     */
    mailNetwork: Name.optional(),
    /** Where instances reach the control plane, when it is not ATOLL_CONTROL_URL. */
    controlUrl: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
  })
  .superRefine((settings, context) => {
    const problem = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if ((settings.network === undefined) === (settings.bridge === undefined)) {
      problem('network', 'exactly one of network and bridge must be given')
    }
    if (settings.mailNetwork !== undefined && settings.network === undefined) {
      problem('mailNetwork', 'is beside a network, not a bridge')
    }
    if (settings.mailNetwork !== undefined && settings.mailNetwork === settings.network) {
      problem('mailNetwork', 'must be another network than network')
    }
    if (!settings.endpoints.some(isHttps)) return
    for (const key of ['clientCert', 'clientKey', 'serverCert'] as const) {
      if (settings[key] === undefined) problem(key, 'is needed for an https:// endpoint')
    }
  })
export type LxdSettings = z.output<typeof LxdSettings>

function isHttps(text: string): boolean {
  return URL.parse(text)?.protocol === 'https:'
}
