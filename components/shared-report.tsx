import type { ReactNode } from 'react'
import type { Translate } from '../lib/text/catalogue'
import type { Locale } from '../lib/text/locale'
import { When } from './when'

const KINDS = [
  'request',
  'session',
  'page',
  'requirement',
  'provider_request',
  'provider_answer',
  'action',
  'actions',
  'tokens',
  'event',
] as const

type Line = { name: string; verdict: 'ok' | 'failed' | 'ignored' | 'unreached' | 'none'; value?: string; says?: string }

type Step = {
  kind: (typeof KINDS)[number]
  subject: string
  outcome: 'ok' | 'failed' | 'none'
  says?: string
  lines: readonly Line[]
  claims: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A copy of one login, for a person without an account. Its sentences are in English, like the log. */
export type SharedReport = {
  id: string
  outcome: 'failed' | 'succeeded' | 'waiting'
  startedAt: string
  application?: string
  connection?: string
  person?: string
  /** What went wrong first. */
  wrong?: { reason: string; says: string; lines: readonly Line[]; hint?: string }
  steps: readonly Step[]
}

type Props = { report: SharedReport; until?: string; locale: Locale; t: Translate }

/** What went wrong first, the facts and the steps. `until`: when the page of the report expires. */
export function Report({ report, until, locale, t }: Props) {
  const { id, startedAt, application, connection, person, wrong, steps } = report
  const facts = [
    [t('shared_login.application'), application && <bdi>{application}</bdi>],
    [t('shared_login.connection'), connection && <bdi>{connection}</bdi>],
    [t('shared_login.person'), person && <bdi>{person}</bdi>],
    [t('shared_login.began'), <When key="began" at={startedAt} locale={locale} />],
    [t('shared_login.until'), until && <When key="until" at={until} locale={locale} />],
    [t('shared_login.id'), <code key="id">{id}</code>],
  ] as const
  return (
    <>
      {wrong && <Wrong wrong={wrong} t={t} />}
      <ReportFacts facts={facts} />
      <h2 className="report-title">{t('shared_login.steps')}</h2>
      <ol className="report-steps">
        {steps.map((step, place) => (
          <StepItem key={String(place)} step={step} t={t} />
        ))}
      </ol>
    </>
  )
}

/** Those with a value. */
export const ReportFacts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="report-facts">
    {facts.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)

function Wrong({ wrong, t }: { wrong: NonNullable<SharedReport['wrong']>; t: Translate }) {
  const { reason, says, lines, hint } = wrong
  return (
    <div className="notice notice-error report-wrong">
      <h2 className="notice-heading">{t('shared_login.wrong')}</h2>
      <dl className="report-facts">
        <div>
          <dt>{t('shared_login.found')}</dt>
          <dd lang="en" dir="ltr">
            {says}
          </dd>
        </div>
        {lines.map((line) => (
          <div key={line.name}>
            <dt dir="ltr">{line.name}</dt>
            <dd lang="en" dir="ltr">
              {line.says}
            </dd>
          </div>
        ))}
        {hint && (
          <div>
            <dt>{t('shared_login.mend')}</dt>
            <dd lang="en" dir="ltr">
              {hint}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('shared_login.rule')}</dt>
          <dd>
            <code>{reason}</code>
          </dd>
        </div>
      </dl>
    </div>
  )
}

/** It folds; one that failed is open. */
function StepItem({ step, t }: { step: Step; t: Translate }) {
  const { kind, subject, outcome, says, lines, claims } = step
  const tables = Object.entries(claims).filter(([, members]) => Object.keys(members).length > 0)
  const title =
    kind === 'event' ? (
      <span lang="en" dir="ltr">
        {says ?? subject}
      </span>
    ) : (
      <>
        {t(`shared_login.kind.${kind}`)} <bdi>{subject}</bdi>
      </>
    )
  const head = (
    <>
      {title}
      {outcome === 'failed' && <span className="report-mark">{t('shared_login.verdict.failed')}</span>}
    </>
  )
  return (
    <li className={`report-step report-step-${outcome}`}>
      {lines.length === 0 && tables.length === 0 ? (
        head
      ) : (
        <details open={outcome === 'failed'}>
          <summary>{head}</summary>
          {kind !== 'event' && says && (
            <p lang="en" dir="ltr">
              {says}
            </p>
          )}
          {lines.length > 0 && (
            <dl className="report-lines">
              {lines.map((line) => (
                <LineItem key={line.name} line={line} t={t} />
              ))}
            </dl>
          )}
          {tables.map(([name, members]) => (
            <dl key={name} className="report-lines">
              {Object.entries(members).map(([claim, value]) => (
                <div key={claim}>
                  <dt dir="ltr">{`${name}.${claim}`}</dt>
                  <dd dir="ltr">{value}</dd>
                </div>
              ))}
            </dl>
          ))}
        </details>
      )}
    </li>
  )
}

function LineItem({ line, t }: { line: Line; t: Translate }) {
  const { name, verdict, value, says } = line
  return (
    <div>
      <dt dir="ltr">{name}</dt>
      <dd>
        {verdict !== 'none' && (
          <span className={verdict === 'failed' ? 'report-verdict report-mark' : 'report-verdict'}>
            {t(`shared_login.verdict.${verdict}`)}
          </span>
        )}
        <span lang="en" dir="ltr">
          {[value, says].filter(Boolean).join(' · ')}
        </span>
      </dd>
    </div>
  )
}

const SAMPLE_CLAIMS: Step['claims'] = { assertion: { issuer: 'https://idp.test', mail: '(text)' } }

/** For samples of screens. */
export const SAMPLE_REPORT: SharedReport = {
  id: '0123456789abcdef0123456789abcdef',
  outcome: 'failed',
  startedAt: '2027-01-15T08:00:00.000Z',
  application: 'Harbour Notes',
  connection: 'corp',
  person: 'k•••@corp.test',
  wrong: {
    reason: 'upstream_audience',
    says: 'The audience is another.',
    lines: [{ name: 'audience', verdict: 'failed', says: 'urn:other is not urn:id.test:corp' }],
    hint: 'Set the audience at the provider.',
  },
  steps: KINDS.map(
    (kind, place): Step => ({
      kind,
      subject: kind,
      outcome: (['ok', 'failed', 'none'] as const)[place % 3] ?? 'ok',
      says: `What the ${kind} says`,
      lines:
        place % 2 === 0
          ? (['ok', 'failed', 'ignored', 'unreached', 'none'] as const).map((verdict) => ({
              name: verdict,
              verdict,
              value: 'a value',
            }))
          : [],
      claims: kind === 'provider_answer' ? SAMPLE_CLAIMS : {},
    }),
  ),
}
