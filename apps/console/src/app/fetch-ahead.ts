/**
 * The first module that runs: while the browser is busy with the others, the code of the signed-in pages is already on
 * its way. Somebody who turns out to be nobody yet needs it after signing in. It must import nothing, or it would not
 * be first.
 */
if (!location.pathname.startsWith('/login')) {
  // What cannot be fetched now is fetched by the page, which reports a failure.
  import('../home/HomePage.tsx').catch(() => undefined)
}

export {}
