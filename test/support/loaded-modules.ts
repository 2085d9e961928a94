interface LoadedModule {
  evaluated: boolean;
  promise?: Promise<unknown>;
}

/** The parts used here of the test runner's loader, Vite's `ModuleRunner`. */
interface ModuleRunner {
  evaluatedModules: {
    getModuleById(id: string): LoadedModule | undefined;
    getModuleByUrl(url: string): LoadedModule | undefined;
  };
  import(id: string, options?: { invalidate?: boolean }): Promise<unknown>;
  cachedModule(url: string, importer?: string): Promise<LoadedModule>;
}

/**
 * Has modules that are loaded be found without a question to the Node process. Each call of a Durable Object imports the Worker, and
 * each delivery of a queue its consumers: the questions took more time than all else that tests do.
 */
export function keepModulesLoaded(): void {
  const runner: ModuleRunner = Reflect.get(Reflect.get(globalThis, "__vitest_mocker__"), "moduleRunner");
  if (Object.hasOwn(runner, "import")) return; // done for an earlier file of this process
  const { evaluatedModules, import: load, cachedModule: find } = runner;
  runner.import = (id, options) => {
    const known = options?.invalidate === true ? undefined : evaluatedModules.getModuleById(id);
    return known?.evaluated === true && known.promise ? known.promise : load.call(runner, id, options);
  };
  runner.cachedModule = async (url, importer) => {
    const known = evaluatedModules.getModuleByUrl(url);
    return known?.evaluated === true ? known : find.call(runner, url, importer);
  };
}
