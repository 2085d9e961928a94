import { describe, expect, it } from "vitest";
import { guessTargets, looksLikeHeader, findMappingProblem } from "../../src/console/pages/import/import-columns.ts";

describe("Import columns", () => {
  it("An import guesses the field of a column by its heading, then by its cells, and maps each field once", () => {
    const rows = [
      ["Ada", "Lovelace", "ada@example.com", "+14155550100", "12345678901"],
      ["Bob", "", "bob@example.com", "+14155550101", "12345678902"],
    ];
    const heads = ["First name", "Last name", "Contact address", "", "Customer no."];
    expect(guessTargets(heads, rows, [], true)).toEqual(["name", "name", "email", "phone", ""]);
    expect(guessTargets(["Name", "First name", "E-Mail", "Email"], [], [], true)).toEqual(["name", "", "email", ""]);
    expect(guessTargets([], [["14155550100", "x"]], [], false)).toEqual(["phone", ""]);
    expect(looksLikeHeader([["Name", "Phone"]])).toBe(true);
    expect(looksLikeHeader([["Ada", "+14155550100"]])).toBe(false);
  });

  it.each([
    [["Vollständiger Name", "Telefon", "E-Mail-Adresse", "Unternehmen"]],
    [["Vorname Name", "Telefonnummer", "E-Mail", "Firma"]],
    [["Nom complet", "Téléphone", "Courriel", "Entreprise"]],
    [["Nombre", "Teléfono", "Correo electrónico", "Empresa"]],
    [["Nome", "Telefone", "Email", "Empresa"]],
    [["Nome e cognome", "Cellulare", "E-mail", "Azienda"]],
    [["NAME", "HANDY", "MAIL", "FIRMA"]],
    [["Ansprechpartner", "Mobil", "Correo", "Société"]],
  ])("An import recognizes the headings %j", (heads) => {
    expect(guessTargets(heads, [], [], true)).toEqual(["name", "phone", "email", "company"]);
  });

  it("An import joins first and last name, even if the heading of the last name can also mean the full name", () => {
    const rows = [["Anna", "Müller", "1"]];
    for (const heads of [
      ["Vorname", "Nachname"],
      ["Vorname", "Name"],
      ["Prénom", "Nom"],
      ["Nombre", "Apellidos"],
      ["Nome", "Sobrenome"],
      ["Nome", "Cognome"],
    ])
      expect(guessTargets([...heads, "Nr."], rows, [], true)).toEqual(["name", "name", ""]);
    expect(guessTargets(["Vorname", "Name", "Nr."], [["Anna", "Anna Müller", "1"]], [], true)).toEqual([
      "",
      "name",
      "",
    ]);
  });

  it("If a heading matches both a custom field and a built-in field, an import maps the column to the custom field", () => {
    const field = {
      id: "cf_1",
      number: 1,
      field_key: "firma",
      label: "Firma",
      type: "text" as const,
      options: [],
      removed_options: [],
      created_at: 0,
    };
    expect(guessTargets(["Firma"], [], [field], true)).toEqual(["custom_fields.firma"]);
  });

  it("An import can map several columns to the name or the tags, but only one column to any other field", () => {
    expect(findMappingProblem(["name", "name", "tags", "tags", "phone"], [])).toBeNull();
    expect(findMappingProblem(["phone", "phone"], [])).toBe("Two columns map to Phone. Skip one of them.");
  });
});
