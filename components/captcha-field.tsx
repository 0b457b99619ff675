import type { CaptchaView, NoticeCode, PageTheme } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'
import { errorIdOf } from './notice'
import { SubmitButton } from './submit-button'
import { TextField } from './text-field'

const CODE = 'captcha_code'

type Props = {
  captcha: CaptchaView | undefined
  theme: PageTheme | undefined
  /** The action of the form. */
  action: string
  notice: NoticeCode | undefined
  t: Translate
}

/**
 * The captcha of a form. Our own needs no input: captcha.js works while the form is filled in. Without JavaScript, and beside a
 * third party's, a button asks for a code by mail instead.
 */
export function CaptchaField({ captcha, theme, action, notice, t }: Props) {
  if (!captcha) return null
  const byMail = `captcha-${action}`
  switch (captcha.kind) {
    case 'code':
      return (
        <div className="captcha">
          <TextField
            name={CODE}
            label={t('captcha.code')}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={60}
            errorId={errorIdOf(notice, CODE)}
          />
          <SubmitButton value={byMail} look="quiet" skipValidation>
            {t('captcha.again')}
          </SubmitButton>
        </div>
      )
    case 'work':
      return (
        <>
          <Work captcha={captcha} t={t} />
          <noscript>
            <div className="captcha">
              <p className="field-help">{t('captcha.no_script')}</p>
              <SubmitButton value={byMail} look="secondary" skipValidation>
                {t('captcha.mail')}
              </SubmitButton>
            </div>
          </noscript>
        </>
      )
    case 'widget':
      return (
        <div className="captcha">
          <div className={captcha.place} data-sitekey={captcha.siteKey} data-theme={theme?.captcha} />
          <noscript>
            <p className="field-help">{t('captcha.no_script')}</p>
          </noscript>
          <SubmitButton value={byMail} look="quiet" skipValidation>
            {t('captcha.mail')}
          </SubmitButton>
        </div>
      )
  }
}

function Work({ captcha, t }: { captcha: Extract<CaptchaView, { kind: 'work' }>; t: Translate }) {
  const { session, salt, target, max } = captcha
  return (
    <div data-work={target} data-salt={salt} data-max={max}>
      <input type="hidden" name="captcha_session" value={session} />
      <input type="hidden" name="captcha_number" value="" />
      <p role="status" className="captcha-status" data-working={t('captcha.working')} data-done={t('captcha.done')} />
    </div>
  )
}

type ScriptProps = { captcha: CaptchaView | undefined; nonce: string | undefined }

/** What a page with a captcha loads. */
export function CaptchaScript({ captcha, nonce }: ScriptProps) {
  if (!captcha || captcha.kind === 'code') return null
  return <script src={captcha.kind === 'work' ? '/captcha.js' : captcha.script} nonce={nonce} defer />
}
