import { say } from '../../../lib/text/console'
import { chooseColumns } from './actions'

type Props = { list: string; columns: readonly { title: string; isShown: boolean }[] }

/** The columns of a list that this browser shows. */
export function ColumnChoice({ list, columns }: Props) {
  return (
    <details className="co-columns">
      <summary className="co-summary">{say('list.columns')}</summary>
      <form action={chooseColumns} className="co-columns-form">
        <input type="hidden" name="list" value={list} />
        {columns.map(({ title, isShown }) => (
          <label key={title} className="co-switch">
            <input className="co-check" type="checkbox" name="column" value={title} defaultChecked={isShown} />
            {title}
          </label>
        ))}
        <div className="co-form-foot">
          <button type="submit" className="co-button co-button-small" name="choose" value="these">
            {say('list.columns.show')}
          </button>
          <button type="submit" className="co-button co-button-small" name="choose" value="first">
            {say('list.columns.reset')}
          </button>
        </div>
      </form>
    </details>
  )
}
