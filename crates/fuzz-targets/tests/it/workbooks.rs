//! Workbooks as spreadsheet programs write them.

use cabinet_app::cart::sheet::read_sheet;
use cabinet_domain::{Key, Locale, SheetColumn, sheet_name};
use rust_xlsxwriter::{ExcelDateTime, Format, Formula, Workbook, XlsxError};

const COLUMNS: [SheetColumn; 4] = [
    SheetColumn::ClientCode,
    SheetColumn::ClientName,
    SheetColumn::Amount,
    SheetColumn::Purpose,
];

/// Writes a workbook with another sheet first, styles, merged cells, and what a cell may hold.
fn workbook(rows: bool) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let bold = Format::new().set_bold();
    workbook
        .add_worksheet()
        .set_name("Інше")?
        .write(0, 0, "Не читається")?;
    let sheet = workbook.add_worksheet();
    sheet.set_name(sheet_name(Locale::Uk))?;
    sheet.merge_range(0, 0, 0, 3, "Платежі за листопад", &bold)?;
    for (at, column) in (0..).zip(COLUMNS) {
        sheet.write_with_format(2, at, column.heading(Locale::Uk), &bold)?;
    }
    if !rows {
        return workbook.save_to_buffer();
    }
    sheet.write(3, 0, 3_652_504_575_f64)?;
    let parts = [
        (&bold, "Гнатюк"),
        (&Format::new(), " Петро "),
        (&bold, "& син <1>"),
    ];
    sheet.write_rich_string(3, 1, &parts)?;
    sheet.write(3, 2, 1_250.5)?;
    sheet.write(3, 3, "Рядок\nдругий, «лапки»")?;
    sheet.write(5, 0, "0123456789")?;
    sheet.write(5, 1, true)?;
    sheet.write(
        5,
        2,
        Formula::new("=0.1+0.2").set_result("0.30000000000000004"),
    )?;
    sheet.write(5, 3, Formula::new("=A1").set_result("Текст формули"))?;
    let day = ExcelDateTime::from_ymd(2026, 11, 28)?;
    let of_days = Format::new().set_num_format("dd.mm.yyyy");
    sheet.write_with_format(6, 3, &day, &of_days)?;
    workbook.save_to_buffer()
}

#[test]
fn what_a_program_writes_is_read() {
    let sheet = read_sheet(&workbook(true).unwrap()).unwrap();
    let rows: Vec<_> = sheet
        .rows
        .iter()
        .map(|row| (row.number, COLUMNS.map(|column| row.cells.get(column))))
        .collect();
    let expected = [
        (
            4,
            [
                Some("3652504575"),
                Some("Гнатюк Петро & син <1>"),
                Some("1250.5"),
                Some("Рядок другий, «лапки»"),
            ],
        ),
        (
            6,
            [
                Some("0123456789"),
                Some("true"),
                Some("0.3"),
                Some("Текст формули"),
            ],
        ),
        // No column has a date, so a date is the number that it is in the file.
        (7, [None, None, None, Some("46354")]),
    ];
    assert_eq!(rows, expected);
    assert_eq!(read_sheet(&workbook(false).unwrap()), Err(Key::SheetEmpty));
}
