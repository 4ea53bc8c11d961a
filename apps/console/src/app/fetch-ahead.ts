/**
 * The first module that runs: while the browser is busy with the others, the code of the page is already on its way.
 * Somebody who turns out to be nobody yet needs that of the signed-in pages after signing in. It must import nothing,
 * or it would not be first.
 */
const isSigningIn = location.pathname.startsWith('/login')
const page: Promise<unknown> = isSigningIn ? import('../signin/LoginPage.tsx') : import('../home/HomePage.tsx')
// A part that cannot be fetched now is fetched by the page, which reports a failure.
page.catch(() => undefined)

export {}
