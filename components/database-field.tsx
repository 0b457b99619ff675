import type { DatabaseView } from '../lib/pages/view'
import type { Translate } from '../lib/text/catalogue'

type Props = { databases: readonly DatabaseView[] | undefined; errorId: string | undefined; t: Translate }

/** The directory of the account, where there are too many to try each. None is chosen for the person. */
export function DatabaseField({ databases, errorId, t }: Props) {
  if (!databases) return null
  return (
    <div className="field">
      <label className="field-label" htmlFor="database">
        {t('login.database')}
      </label>
      <div className="field-frame">
        <select
          className="field-input"
          id="database"
          name="database"
          required
          defaultValue={databases.find(({ chosen }) => chosen)?.name ?? ''}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
        >
          <option value="">{t('login.database_choose')}</option>
          {databases.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
