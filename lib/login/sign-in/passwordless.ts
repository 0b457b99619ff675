// The page that asks for the address to which a one-time code or a link is sent.
import { sendsOf } from '../../identity/strategies/passwordless-message'
import type { AddressKind } from '../../pages/view'
import { toProve } from '../flow/linking'
import { cancel } from '../forms/cancel'
import { withCodeByMail } from '../forms/captcha'
import { sendLoginCode } from '../forms/passwordless'
import type { LoginState } from '../login-state'
import type { LoginPage } from '../steps/step'
import { wayToPassword } from './way-to-password'

export const passwordlessPage: LoginPage<'passwordless'> = {
  screen: 'passwordless',
  view: ({ state, shared, captchaOf, urlOf }) => ({
    ...shared,
    ...captchaOf('passwordless'),
    screen: 'passwordless',
    kind: kindOf(state),
    ...(state.passwordless.every((connection) => sendsOf(connection) === 'link') ? { sendsLink: true as const } : {}),
    ...(state.decisions.identifier === undefined ? {} : { address: state.decisions.identifier }),
    ...wayToPassword(state, urlOf),
    ...(toProve(state) ? { linking: true as const } : {}),
    cancel: true,
  }),
  actions: [...withCodeByMail(sendLoginCode), cancel],
}

function kindOf({ passwordless }: LoginState): AddressKind {
  const has = (strategy: 'email' | 'sms') => passwordless.some((connection) => connection.strategy === strategy)
  if (has('email') && has('sms')) return 'either'
  return has('sms') ? 'phone' : 'email'
}
