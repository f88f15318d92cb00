// The tables and what is stored in them now.
import { number, value } from "../shared/formats";
import { useWords } from "../shared/root";
import { useView } from "./context";
import type { ItemRow, Table } from "./model";
import { Section } from "./Section";
import { Choose, Ties } from "./Ties";
import { VirtualList } from "./VirtualList";

const COLUMNS = 4; // more attributes than that share a column

export function Tables() {
  const { session } = useView();
  return (
    <>
      {[...session.model.tables.values()].map((table) => (
        <TableSection key={table.name} table={table} />
      ))}
    </>
  );
}

function TableSection({ table }: { table: Table }) {
  const { session, shown } = useView();
  const { say, language } = useWords();
  const every = [...table.items.values()];
  const rows = shown ? every.filter((row) => shown.has(row.id)) : every;
  const names = [...new Set([...table.key, ...rows.slice(0, 100).flatMap(({ item }) => Object.keys(item))])];
  const columns = names.length > COLUMNS ? table.key : names;
  const rest = names.length > COLUMNS;
  const columnStyle = { "--columns": columns.length + (rest ? 1 : 0) };
  return (
    <Section
      title={say("Table")}
      name={table.name}
      small={every.length === 1 ? say("1 item") : say("{count} items", { count: number(language, every.length) })}
      attributes={{ "data-table": table.name, "data-total": every.length, style: columnStyle }}
    >
      {rows.length === 0 ? (
        <p class="none">{every.length ? say("None of them is shown.") : say("No item.")}</p>
      ) : (
        <VirtualList
          name={`items/${table.name}`}
          label={say("Items of {table}", { table: table.name })}
          count={rows.length}
          idOf={(index) => rows[index]!.id}
          estimate={34}
          head={
            <>
              {columns.map((name) => (
                <span key={name} role="columnheader" class="mono" translate={false}>
                  {name}
                </span>
              ))}
              {rest && <span role="columnheader">{say("Other attributes")}</span>}
            </>
          }
          row={(index, inUse) => ({
            class: "line item",
            attributes: { "data-item": rows[index]!.key },
            stamp: `${JSON.stringify(rows[index]!.item)} ${columns}`,
            content: () => <Item row={rows[index]!} columns={columns} rest={rest} inUse={inUse} />,
          })}
        />
      )}
    </Section>
  );
}

function Item({ row, columns, rest, inUse }: { row: ItemRow; columns: string[]; rest: boolean; inUse: boolean }) {
  const { session } = useView();
  const others = Object.entries(row.item).filter(([name]) => !columns.includes(name));
  return (
    <>
      {columns.map((name, index) => (
        <span key={name} role="cell" class="mono" translate={false}>
          {index === 0 ? (
            <Choose id={row.id} text={value(row.item[name])} inUse={inUse} />
          ) : (
            name in row.item && value(row.item[name])
          )}
        </span>
      ))}
      {rest && (
        <span role="cell" class="mono" translate={false}>
          {others.map(([name, stored]) => `${name}: ${value(stored)}`).join(", ")}
        </span>
      )}
      {session.chosen === row.id && (
        <span role="cell" class="wide">
          <Ties id={row.id} inUse={inUse} />
        </span>
      )}
    </>
  );
}
