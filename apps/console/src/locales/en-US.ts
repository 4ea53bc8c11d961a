/** Texts that signing in and choosing an account need. */
import accountList from '../account-list/texts/en-US.json' with { type: 'json' }
import appNotFound from '../app/not-found/texts/en-US.json' with { type: 'json' }
import appShell from '../app/shell/texts/en-US.json' with { type: 'json' }
import kit from '../kit/texts/en-US.json' with { type: 'json' }
import languageList from '../language-list/texts/en-US.json' with { type: 'json' }
import signin from '../signin/texts/en-US.json' with { type: 'json' }

export default {
  ...kit,
  ...appShell,
  ...appNotFound,
  ...signin,
  ...accountList,
  ...languageList,
}
