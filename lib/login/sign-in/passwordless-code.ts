// The page that asks for the one-time code, or waits until the link is opened.
import { sendsOf } from '../../identity/strategies/passwordless-message'
import type { ViewOf } from '../../pages/screens'
import { cancel } from '../forms/cancel'
import { checkLoginLink } from '../forms/login-link'
import { checkLoginCode, resendLoginCode, sentIn, waitBeforeResend } from '../forms/passwordless'
import type { LoginState } from '../login-state'
import type { LoginPage } from '../steps/step'
import { wayToPassword } from './way-to-password'

export const passwordlessCodePage: LoginPage<'passwordless-code'> = {
  screen: 'passwordless-code',
  view: ({ state, shared, urlOf }) => ({
    ...shared,
    screen: 'passwordless-code',
    address: state.decisions.code?.address ?? '',
    ...linkView(state),
    waitSeconds: waitBeforeResend(state),
    addressUrl: urlOf('passwordless'),
    ...wayToPassword(state, urlOf),
    cancel: true,
  }),
  actions: [resendLoginCode, checkLoginCode, checkLoginLink, cancel],
}

function linkView(state: LoginState): Pick<ViewOf<'passwordless-code'>, 'sends' | 'link'> {
  const sent = sentIn(state)
  const sends = sent ? sendsOf(sent.connection) : 'code'
  if (state.link?.status !== 'waiting' && state.link?.status !== 'approved') return { sends }
  const phase = state.link.status === 'waiting' ? 'waiting' : 'answered'
  return { sends, link: { phase, number: state.link.number } }
}
