/** Whether the first address in `command` is one that leads every machine to itself (RFC 5735, RFC 4291, RFC 6761). */
export function isLoopback(command: string): boolean {
  return /https?:\/\/(localhost|[\w.-]+\.localhost|127(\.\d{1,3}){3}|\[::1\])(?=[:/\s]|$)/i.test(command)
}
