import { type Check, failed, passed, reasonOf, skipped, warned } from '../check.ts'
import { isPublicUrl } from '../public-url.ts'

const group = 'Names and mail'
const dayMs = 24 * 60 * 60_000
/** Below this a certificate is not renewed as it should be (operator-texts, rule 7). */
const leastDays = 21
/** Nobody's cluster: labels of clusters have no underscore. */
const label = 'atoll--doctor'

export const nameChecks: readonly Check[] = [
  {
    name: 'wildcard-certificate',
    group,
    title: 'Wildcard certificate is valid',
    async look({ config, context }) {
      const url = new URL(config.clusterUrl(label))
      if (url.protocol !== 'https:') return skipped('clusters are visited by HTTP')
      const mend =
        'Look at what renews it: with our own edge the log of the worker, else the proxy in front of the edge. It must be for the name with a star.'
      try {
        const end = await context.certificateEndOf(url.hostname, Number(url.port || 443))
        const days = Math.floor((end.getTime() - context.now().getTime()) / dayMs)
        return days >= leastDays ? passed(`for ${days} days`) : warned(`It ends in ${days} days.`, mend)
      } catch (error) {
        return failed(`${url.host}: ${reasonOf(error)}.`, mend)
      }
    },
  },
  {
    name: 'wildcard-name',
    group,
    title: 'Names of clusters lead to the edge',
    async look({ config, context }) {
      const url = config.clusterUrl(label)
      if (config.edgeDomain.endsWith('.localhost')) return skipped(`browsers know *.${config.edgeDomain} by themselves`)
      const mend = `Let *.${config.edgeDomain} lead to the edge: a record A or AAAA with its address, or CNAME with its name.`
      if ((await context.addressesOf(new URL(url).hostname)).length === 0)
        return failed(`${new URL(url).hostname} has no address.`, mend)
      try {
        const { status } = await context.get(`${url}${context.edgeMarkPath}`)
        if (status === 200) return passed()
        return failed(`${url} is answered by something else than the edge (${status}).`, mend)
      } catch (error) {
        return failed(`${url} does not answer: ${reasonOf(error)}.`, mend)
      }
    },
  },
  {
    name: 'name-servers',
    group,
    title: 'All name servers answer',
    async look({ config: { nameServers, isRelease }, context }) {
      if (nameServers.length === 0) return skipped('ATOLL_NAME_SERVERS is empty')
      const asked = await Promise.all(
        nameServers.map(async (one) => ({ ...one, ...(await context.asksNameServer(one)) })),
      )
      const silent = asked.filter(({ udp, tcp }) => !udp || !tcp)
      if (silent.length === 0) return passed(nameServers.map(({ host }) => host).join(', '))
      const found = silent.map(({ host, address, port, udp, tcp }) => {
        const over = udp ? 'TCP' : tcp ? 'UDP' : 'UDP or TCP'
        return `${host}, ${address} port ${port}: no answer over ${over}.`
      })
      return failed(
        found.join(' '),
        'Start the role dns there and open port 53, UDP and TCP, or take that name server out of the delegation.',
        ...(isRelease ? ['systemctl start atoll@dns'] : []),
      )
    },
  },
  {
    name: 'mail',
    group,
    title: 'Mail is accepted',
    async look({ config: { smtpUrl }, context }) {
      if (smtpUrl === undefined) return skipped('there is no mail server')
      try {
        await context.tryMail()
        return passed()
      } catch (error) {
        return failed(`${reasonOf(error)}.`, 'Look at ATOLL_SMTP_URL: host, port, user and password.')
      }
    },
  },
  {
    name: 'mail-records',
    group,
    title: 'SPF and DKIM are right',
    async look({ config: { smtpUrl, mailFrom, mailSelector }, context }) {
      if (smtpUrl === undefined) return skipped('there is no mail server')
      const domain = /@([^>]+)>/.exec(mailFrom)?.[1] ?? ''
      const spf = (await context.textsOf(domain)).filter((text) => text.startsWith('v=spf1'))
      if (spf.length !== 1) {
        const found = spf.length === 0 ? 'no SPF record' : `${spf.length} SPF records, which counts as none`
        const mend = `Publish one TXT record at ${domain} that names the mail server, as its provider writes it.`
        return failed(`${domain} has ${found}.`, mend)
      }
      if (mailSelector === undefined)
        return warned(
          'DKIM is not looked at.',
          'Set ATOLL_MAIL_DKIM_SELECTOR to the selector that the mail server signs with.',
        )
      const name = `${mailSelector}._domainkey.${domain}`
      if ((await context.textsOf(name)).some((text) => /(^|;)\s*p=[^;\s]/.test(text))) return passed()
      return failed(`${name} has no key.`, 'Publish the TXT record that the mail server signs for.')
    },
  },
  {
    name: 'file-mail',
    group,
    title: 'Mail leaves this machine',
    async look({ config: { smtpUrl, publicUrl, dataDir } }) {
      if (smtpUrl !== undefined) return passed()
      if (!isPublicUrl(publicUrl)) return skipped(`${publicUrl} is this machine's own address`)
      return warned(
        `Mails are kept as files in ${dataDir}/outbox: no customer reads them.`,
        'Set ATOLL_SMTP_URL to a mail server.',
      )
    },
  },
]
