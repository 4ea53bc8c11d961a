/** Texts that signing in and choosing an account need. */
import accountList from './account-list.json' with { type: 'json' }
import appNotFound from './app-not-found.json' with { type: 'json' }
import appShell from './app-shell.json' with { type: 'json' }
import kit from './kit.json' with { type: 'json' }
import languageList from './language-list.json' with { type: 'json' }
import signin from './signin.json' with { type: 'json' }

export default {
  ...kit,
  ...appShell,
  ...appNotFound,
  ...signin,
  ...accountList,
  ...languageList,
}
