/**
 * Lets the wallet open without a network. Pages come from the network when it answers, so a new version is never held
 * back; hashed files never change and come from the cache first. Answers of other origins and /config.json pass by.
 */
const cacheName = 'atoll-wallet-1'

addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.add('/')))
  skipWaiting()
})

addEventListener('activate', (event) => {
  event.waitUntil(clients.claim())
})

async function keep(request, response) {
  if (response.ok) await (await caches.open(cacheName)).put(request, response.clone())
  return response
}

addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== location.origin) return
  if (request.mode === 'navigate') {
    event.respondWith(
      fetch(request).then(
        (response) => keep('/', response),
        async () => (await caches.match('/')) ?? Response.error(),
      ),
    )
  } else if (url.pathname.startsWith('/assets/')) {
    event.respondWith(
      caches.match(request).then((hit) => hit ?? fetch(request).then((answer) => keep(request, answer))),
    )
  }
})
