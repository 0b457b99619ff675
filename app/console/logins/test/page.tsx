import type { Metadata } from 'next'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { clients } from '../../../../lib/management/resources/clients'
import { loginTests } from '../../../../lib/management/resources/login-tests'
import { logins } from '../../../../lib/management/resources/logins'
import { readTestProblem, resultsOf, TEST_START } from '../../../../lib/server/next/console/login-test'
import { say } from '../../../../lib/text/console'
import { Forbid } from '../../_parts/forbid'
import { Head } from '../../_parts/head'
import { NativePicker } from '../../_parts/native-picker'
import { consolePage } from '../../_parts/page'
import { TestLinks } from '../../_parts/shares'
import { Notice } from '../../_parts/states'
import '../logins.css'

export const metadata: Metadata = { title: say('logins.test') }

const CHOICES = {
  response_type: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token', 'token'],
  prompt: ['', 'login', 'consent', 'select_account', 'none'],
  screen_hint: ['', 'login', 'signup'],
} as const

const TEXTS = ['scope', 'audience', 'login_hint', 'max_age', 'acr_values', 'ui_locales'] as const

/** Of a test of an add-on. */
const ADDON_TEXTS: Readonly<Record<string, readonly string[]>> = {
  samlp: ['login_hint', 'ui_locales', 'RelayState'],
  wsfed: ['wfresh', 'wauth', 'wctx'],
}
const DEFAULTS: Readonly<Record<string, string>> = { scope: 'openid profile email', prompt: 'login' }

/** What is tested. Every other parameter of the page fills in a control. */
const OF_THE_TEST: ReadonlySet<string> = new Set(['client_id', 'connection', 'organization', 'protocol'])

/** Rows for further parameters. */
const ROWS = ['1', '2', '3', '4'] as const

/** A form that begins a real login in a new window. It is a native post, because scripts may not open a window later. */
export default consolePage(async ({ console, query }) => {
  if (!console.may(loginTests.create)) throw new Forbid()
  const { client_id, connection, organization, protocol } = query
  const addon = ADDON_TEXTS[protocol ?? '']
  const of = Object.entries({ client_id, connection, organization, protocol }).filter(([, value]) => value)
  const application =
    client_id && console.may(clients.read, 'client_id')
      ? await console.read(clients.read, { params: { id: client_id }, query: { fields: 'name,client_id' } })
      : null
  const mayRead = console.may(logins.list)
  const problem = await readTestProblem(query.problem)
  const named = [
    application?.name ?? client_id,
    connection && say('logins.test.connection', { name: connection }),
    organization && say('logins.test.organization', { name: organization }),
    addon && say(`logins.test.protocol.${protocol as 'samlp'}`),
  ].filter(Boolean)
  const pickers = {
    connection: await NativePicker({
      ...{ name: 'picked_connection', label: 'connection', kind: 'connections', console },
      value: query.picked_connection,
    }),
    organization: await NativePicker({
      ...{ name: 'picked_organization', label: 'organization', kind: 'organizations', console },
      value: query.picked_organization,
    }),
  }
  const isChanged = Object.keys(query).some((name) => !OF_THE_TEST.has(name))
  const shown = (name: string): string => query[name] ?? (query.problem ? '' : (DEFAULTS[name] ?? ''))
  return (
    <>
      <Head
        title={say('logins.test')}
        lead={<bdi>{named.join(' · ')}</bdi>}
        {...(mayRead && { back: { href: '/console/logins', title: say('logins.title') } })}
      />
      <p>{say(addon ? 'logins.test.protocol.lead' : 'logins.test.lead')}</p>
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      <form method="post" action={TEST_START} target="_blank" className="co-form" rel="noopener">
        {of.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="co-row-actions">
          <button type="submit" className="co-button co-button-primary">
            {say('logins.test.start')}
          </button>
        </div>
        <details open={isChanged}>
          <summary className="co-summary">{say('logins.test.parameters')}</summary>
          <p className="co-hint">{say('logins.test.parameters.lead')}</p>
          <div className="co-test-parameters">
            {Object.entries(addon ? {} : CHOICES).map(([name, options]) => (
              <Control key={name} name={name}>
                <select id={name} name={name} className="co-input" defaultValue={shown(name)}>
                  {options.map((option) => (
                    <option key={option} value={option}>
                      {option === '' ? say('logins.test.unset') : option}
                    </option>
                  ))}
                </select>
              </Control>
            ))}
            {(addon ?? TEXTS).map((name) => (
              <Control key={name} name={name}>
                <input id={name} name={name} className="co-input" defaultValue={shown(name)} autoComplete="off" />
              </Control>
            ))}
            {connection === undefined && pickers.connection}
            {organization === undefined && pickers.organization}
            {!addon && (
              <fieldset className="co-fieldset">
                <legend className="co-label">{say('logins.test.more')}</legend>
                {ROWS.map((row) => (
                  <div key={row} className="co-test-row">
                    <input
                      name={`name${row}`}
                      className="co-input"
                      aria-label={say('logins.test.name', { row })}
                      placeholder={say('logins.test.name.short')}
                      defaultValue={query[`name${row}`]}
                      autoComplete="off"
                    />
                    <input
                      name={`value${row}`}
                      className="co-input"
                      aria-label={say('logins.test.value', { row })}
                      placeholder={say('logins.value')}
                      defaultValue={query[`value${row}`]}
                      autoComplete="off"
                    />
                  </div>
                ))}
              </fieldset>
            )}
          </div>
        </details>
      </form>
      {mayRead ? (
        <p>
          {say('logins.test.after')}{' '}
          <Link className="link" href={resultsOf(client_id)} prefetch={false}>
            {say('logins.test.results')}
          </Link>
        </p>
      ) : (
        <p>{say('logins.test.own')}</p>
      )}
      {!addon && (await TestLinks({ of: Object.fromEntries(of), console, parameters: linkedParameters(shown) }))}
    </>
  )
})

/** The parameters of the form, as far as a link begins with them. */
const linkedParameters = (shown: (name: string) => string): Record<string, string> =>
  Object.fromEntries(
    [...Object.keys(CHOICES), ...TEXTS].map((name) => [name, shown(name)] as const).filter(([, value]) => value !== ''),
  )

function Control({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="co-field">
      <label className="co-label" htmlFor={name}>
        <code>{name}</code>
      </label>
      {children}
    </div>
  )
}
