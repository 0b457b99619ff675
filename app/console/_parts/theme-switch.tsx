import { type ConsoleTheme, THEMES } from '../../../lib/server/next/console/themes'
import { say } from '../../../lib/text/console'
import { chooseTheme } from './actions'

export function ThemeSwitch({ chosen }: { chosen: ConsoleTheme }) {
  return (
    <form action={chooseTheme}>
      <fieldset className="co-theme">
        <legend className="co-hidden">{say('theme.title')}</legend>
        {THEMES.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            className="co-theme-choice"
            aria-pressed={theme === chosen}
          >
            {say(`theme.${theme}`)}
          </button>
        ))}
      </fieldset>
    </form>
  )
}
