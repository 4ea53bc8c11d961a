/**
 * Local parts nobody can bind. A name becomes the first label of a web address (`name.domain`) and is read by people
 * as a sender, so two kinds are kept back: labels that software queries or trusts, and words that pass for us.
 * Only letters and digits: other names cannot be bound anyway.
 */
const reserved = new Set(
  [
    // Role mailboxes (RFC 2142), and what certificate authorities write to (CA/Browser Forum BR §3.2.2.4.4)
    'abuse admin administrator billing ftp hostmaster info marketing news noc postmaster root sales security support usenet uucp webmaster',
    // Labels that clients look up automatically, or that a browser treats as its own machine
    'autoconfig autodiscover broadcasthost isatap local localdomain localhost loopback mtasts wpad',
    // Hosts every domain is expected to have
    'cdn dns email ftps gateway git imap ldap mail mx mx1 mx2 ns ns1 ns2 ns3 ns4 ntp pop pop3 proxy sftp smtp ssh vpn www www1 www2 www3 web webmail',
    // Parts of this service
    'account accounts activation agent api app apps assets auth backup backups bill cloud cluster clusters console dashboard deploy dev docs domain domains download downloads edge',
    'files home identity instance instances internal invoice login logout metrics oauth pay payment payments portal prod production register registry resolver server session',
    'settings signin signup sso staging static status stg store sts system token update updates vault wallet wizard',
    // Words that speak for us or for everybody
    'all anonymous anyone bot contact everybody everyone guest help helpdesk legal me mod moderator nobody notifications official operator owner press privacy service staff',
    'superuser sudo sysadmin team terms trust user username users verify',
    // Values that programs confuse with nothing
    'false nan nil none null true undefined unknown void',
    // The identity app that people trust with their keys
    'larepass olares terminus',
  ].flatMap((line) => line.split(' ')),
)

/** Whether `localPart` cannot be bound; the product's own name is reserved too. */
export function isReservedName(localPart: string, product: string): boolean {
  return reserved.has(localPart) || localPart === product.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}
