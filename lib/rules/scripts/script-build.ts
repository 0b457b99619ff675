// What came of building the packages of scripts. Both members are null while they are built.
export type ScriptBuild = { bundle: string | null; failure: string | null }

export type ScriptBuildPort = {
  /** By the key of what the scripts need. */
  find(key: string): Promise<ScriptBuild | null>
}
