import type { PasswordRuleName, PasswordRuleView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

export const PASSWORD_RULES_ID = 'password-rules'

type Props = { rules: readonly PasswordRuleView[]; t: Translate }

/** The password rules. comfort.js marks the rules that it can evaluate; the server marks those that the last password broke. */
export function PasswordRules({ rules, t }: Props) {
  if (rules.length === 0) return null
  return (
    <div className="rules" id={PASSWORD_RULES_ID} data-password-rules="password">
      <p className="rules-heading">{t('password.rules')}</p>
      <ul>
        {rules.map((rule) => (
          <Rule key={rule.rule} {...rule} t={t} />
        ))}
      </ul>
      <p className="sr-only" role="status" data-missing={t('password.missing')} data-done={t('password.done')} />
    </div>
  )
}

function Rule({ rule, count, unmet, t }: PasswordRuleView & { t: Translate }) {
  return (
    <li className="rules-item" data-rule={rule} data-count={count} data-state={unmet ? 'unmet' : undefined}>
      {unmet && <span className="sr-only">{t('password.unmet')} </span>}
      <span>{t(`password.rule.${rule}`, { count: String(count ?? '') })}</span>
    </li>
  )
}

const GENERATED: Partial<Record<PasswordRuleName, (count: number) => string>> = {
  length: (count) => `minlength: ${count}`,
  lower: () => 'required: lower',
  upper: () => 'required: upper',
  digit: () => 'required: digit',
  special: () => 'required: special',
  classes: () => 'required: lower; required: upper; required: digit',
  identical: (count) => `max-consecutive: ${count}`,
}

/** The same rules for a password manager that generates a password. */
export const generatorRules = (rules: readonly PasswordRuleView[]): string | undefined =>
  rules.flatMap(({ rule, count = 0 }) => GENERATED[rule]?.(count) ?? []).join('; ') || undefined
