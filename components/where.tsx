import type { WhereView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

/** Where something happened: browser, system and network address, as far as that is known. */
export function whereDetails({ browser, system, ip }: WhereView, t: Translate) {
  const named = [browser, system].filter(Boolean).join(' · ')
  return [
    named !== '' && <bdi key="browser">{named}</bdi>,
    ip !== undefined && (
      <>
        {t('portal.sessions.from')} <bdi>{ip}</bdi>
      </>
    ),
  ]
}
