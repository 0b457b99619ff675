// The ten thousand most common passwords, in lower case. Loaded lazily: a process that changes no password never reads them.
const MAX_COMMON = 10_000

let loaded: Promise<ReadonlySet<string>> | undefined

export function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  loaded ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, MAX_COMMON).map((word) => word.toLowerCase())),
  )
  return loaded
}
