// Words that this code no longer uses, each with the standard term in its place. They are refused in identifiers and in comments, so
// that the same concept does not get a second name.

/** Refused as a word of an identifier, in camelCase, PascalCase or SCREAMING_CASE. */
const IN_IDENTIFIERS = {
  asked: 'requested, or the role: query, loginRequest, codeRequest',
  told: 'notified, recorded, or the role',
  tell: 'notify, record, return',
  begun: 'started, startedAt',
  nobody: 'unknown, none, or the role: decoyHash',
  somebody: 'user, account',
  whoever: 'caller, user, client',
  everybody: 'all users, all clients',
  house: 'tenant registry',
  furnish: 'bootstrap',
  furnished: 'bootstrapped',
  whisper: 'printSecret',
  hushed: 'silent',
  hurried: 'throttled',
  gather: 'batch',
  gathered: 'batched',
  vouch: 'preverify',
  vouched: 'preverified',
}

/** Refused in comments. */
const IN_COMMENTS = {
  told: 'notified, informed, returned',
  begun: 'started',
  nobody: 'no user, no caller',
  somebody: 'a user, another instance',
  whoever: 'the caller, the user, the client',
  everybody: 'all users, all clients',
  furnish: 'bootstrap',
  furnished: 'bootstrapped',
  whisper: 'print',
  hushed: 'silent',
  hurried: 'throttled',
  vouch: 'preverify',
  'fast door': 'Node adapter',
  "next's door": 'Next adapter',
}

/** Names that cannot change: they are stored, or belong to other software. */
const FIXED = {
  tell: 'authentication of a token family and of a code',
  tellAuthTime: 'origin of a stored login transaction',
  vouched: 'column of authenticator',
  backchannel_told: 'event of the audit log',
  factor_asked: 'event of the audit log',
  login_hurried: 'event of the audit log',
  max_parallel_workers_per_gather: 'setting of PostgreSQL',
}

/** @param {{ path: string, text: string }} source @returns {string[]} one sentence for each use */
export function findRetiredWords({ path, text }) {
  const comments = []
  const code = text
    .replace(/\/\*[\s\S]*?\*\//g, (found, at) => take(found, at, comments))
    .replace(/(^|[\s;{}(,])(\/\/.*)$/gm, (_, before, found, at) => before + take(found, at + before.length, comments))
  const at = (index) => `${path}:${text.slice(0, index).split('\n').length}`
  return [
    ...identifiersOf(path, code).flatMap(({ name, index }) =>
      Object.hasOwn(FIXED, name)
        ? []
        : wordsOf(name)
            .filter((word) => Object.hasOwn(IN_IDENTIFIERS, word))
            .map((word) => `${at(index)} ${name}: write ${IN_IDENTIFIERS[word]} for "${word}"`),
    ),
    ...comments.flatMap(({ found, index }) =>
      Array.from(found.replace(/`[^`]*`/g, blank).matchAll(COMMENT_WORDS), ({ 0: word, index: offset }) => {
        const standard = IN_COMMENTS[word.toLowerCase()]
        return `${at(index + offset)} comment: write ${standard} for "${word}"`
      }),
    ),
  ]
}

const COMMENT_WORDS = new RegExp(`\\b(?:${Object.keys(IN_COMMENTS).join('|')})\\b`, 'gi')

const blank = (found) => found.replace(/[^\n]/g, ' ')

function take(found, index, comments) {
  comments.push({ found, index })
  return blank(found)
}

const PATTERN = /(?<=[(,=:?&|![]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g
const TEXT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
/** Between two tags: free of what makes an expression. */
const JSX_TEXT = />[^<>{}=;()]*(?=[<{])|\}[^<>{}=;()]*(?=<)/g

function identifiersOf(path, code) {
  const bare = code.replace(PATTERN, blank).replace(TEXT, blank)
  const names = (path.endsWith('.tsx') ? bare.replace(JSX_TEXT, blank) : bare).matchAll(/[A-Za-z_$][\w$]*/g)
  return Array.from(names, ({ 0: name, index }) => ({ name, index }))
}

const wordsOf = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)
